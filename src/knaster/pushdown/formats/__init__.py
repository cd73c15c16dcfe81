"""Files of others: PDAAAL's JSON, rule lists and set expressions, WALi's XML."""

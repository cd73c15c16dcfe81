"""Program -> Program, with a way back for traces."""

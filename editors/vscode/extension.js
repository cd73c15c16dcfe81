// Starts `knaster lsp` for the languages that Knaster reads; all that it shows comes from there.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const settings = vscode.workspace.getConfiguration("knaster");
  const [command, ...args] = settings.get("command");
  const languages = ["bp", "zing", "mu", ...(settings.get("c") ? ["c"] : [])];
  const documentSelector = languages.map((language) => ({ scheme: "file", language }));
  client = new LanguageClient("knaster", "Knaster", { command, args }, { documentSelector });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`Knaster: '${command}' cannot be started; install it with pip install 'knaster[lsp]'.`);
  }
}

async function activate(context) {
  const restart = async () => {
    if (client && client.isRunning()) await client.stop();
    await start();
  };
  context.subscriptions.push(vscode.commands.registerCommand("knaster.restart", restart));
  await start();
}

function deactivate() {
  return client && client.isRunning() ? client.stop() : undefined;
}

module.exports = { activate, deactivate };

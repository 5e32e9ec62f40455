// Runs a program of WebAssembly, built for WASI: node wasi.mjs program.wasm [arguments]. It sees all files.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...given] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [program, ...given], preopens: { "/": "/" } });
const { instance } = await WebAssembly.instantiate(await readFile(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** What a process did to the files of a folder, in order, as strace saw it. */
export type Operation =
  | { kind: 'write'; file: string; offset: number; bytes: Buffer }
  | { kind: 'truncate'; file: string; length: number }
  | { kind: 'sync'; file: string }
  | { kind: 'remove'; file: string }
  /** A line the process wrote to its output. */
  | { kind: 'said'; line: string };

export function needStrace(): void {
  if (spawnSync('strace', ['-V']).status === 0) return;
  try {
    execFileSync('sh', ['-c', 'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y strace']);
  } catch (cause) {
    throw new Error('This test needs strace (Debian: sudo apt-get install strace)', { cause });
  }
}

/** Runs a script of ours and records what it does to the files in the folder. */
export function recordOperations(folder: string, script: string, nodeOptions: string[] = []): Operation[] {
  needStrace();
  const trace = `${folder}.strace`;
  const calls = 'trace=pwrite64,write,ftruncate,fsync,fdatasync,?unlink,unlinkat';
  const options = ['-f', '--seccomp-bpf', '-y', '-xx', '-s', '1000000', '-e', calls, '-o', trace];
  execFileSync('strace', [...options, process.execPath, ...nodeOptions, script, folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return parse(readFileSync(trace, 'latin1'), folder);
}

const readHex = (hex: string) => Buffer.from(hex.replaceAll('\\x', ''), 'hex');

/** With -xx everything in quotes and every path behind a descriptor is in hex. */
const call = {
  onDescriptor: /^\d+ +(\w+)\((\d+)<((?:\\x..)*)>(?:, "((?:\\x..)*)")?(.*)/,
  // unlink, or unlinkat where the machine has only that.
  remove: /^\d+ +unlink(?:at)?\((?:AT_FDCWD[^,]*, )?"((?:\\x..)*)"/,
};

function parse(trace: string, folder: string): Operation[] {
  const operations: Operation[] = [];
  for (const line of trace.split('\n')) {
    const removed = call.remove.exec(line);
    if (removed) {
      const path = readHex(removed[1] ?? '').toString();
      if (path.startsWith(folder)) operations.push({ kind: 'remove', file: basename(path) });
    }
    // The arguments stand where a call began, also when another thread cut in.
    const [, name, descriptor, hexPath = '', hexBytes = '', rest = ''] = call.onDescriptor.exec(line) ?? [];
    const path = readHex(hexPath).toString();
    const file = basename(path);
    const numbers = [...rest.matchAll(/, (\d+)/g)].map(([, number]) => Number(number));
    if (name === 'write' && descriptor === '1') {
      const lines = readHex(hexBytes).toString().trim().split('\n');
      operations.push(...lines.map((text): Operation => ({ kind: 'said', line: text })));
    }
    if (!path.startsWith(folder) || path.endsWith('-shm')) continue;
    if (name === 'pwrite64') {
      operations.push({ kind: 'write', file, offset: numbers[1] ?? Number.NaN, bytes: readHex(hexBytes) });
    } else if (name === 'ftruncate')
      operations.push({ kind: 'truncate', file, length: numbers[0] ?? Number.NaN });
    else if (name === 'fsync' || name === 'fdatasync') operations.push({ kind: 'sync', file });
  }
  return operations;
}

/**
 * The files after a power loss: what was synced is there (a removal once its folder was). Of what was not, each step
 * is there or not, as `survives` says; the disk may have reached any of them.
 */
export function filesAfterPowerLoss(
  operations: readonly Operation[],
  folder: string,
  survives: () => boolean,
): Map<string, Buffer> {
  const lastSync = new Map<string, number>();
  for (const [index, operation] of operations.entries()) {
    if (operation.kind === 'sync') lastSync.set(operation.file, index);
  }
  const files = new Map<string, { bytes: Buffer; length: number }>();
  for (const [index, operation] of operations.entries()) {
    if (operation.kind === 'said' || operation.kind === 'sync') continue;
    const { file } = operation;
    const syncedBy = operation.kind === 'remove' ? basename(folder) : file;
    if (index > (lastSync.get(syncedBy) ?? -1) && !survives()) continue;
    if (operation.kind === 'remove') {
      files.delete(file);
      continue;
    }
    const { bytes, length } = files.get(file) ?? { bytes: Buffer.alloc(8 * 1024 * 1024), length: 0 };
    if (operation.kind === 'truncate') {
      bytes.fill(0, operation.length);
      files.set(file, { bytes, length: operation.length });
    } else {
      operation.bytes.copy(bytes, operation.offset);
      files.set(file, { bytes, length: Math.max(length, operation.offset + operation.bytes.length) });
    }
  }
  return new Map([...files].map(([file, { bytes, length }]) => [file, bytes.subarray(0, length)]));
}

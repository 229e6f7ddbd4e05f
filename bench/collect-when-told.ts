/** Beside a server whose memory is looked at: collects its garbage at a signal, since V8 may leave it for minutes or not. */
process.on('SIGUSR2', () => globalThis.gc?.());

/** The length of a sound or a film in seconds, where its header or its type says it. */
export function secondsOf(file: Buffer, mediaType: string): number | undefined {
  return wavSeconds(file) ?? mp4Seconds(file) ?? pcmSeconds(file, mediaType);
}

function wavSeconds(file: Buffer) {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let bytesPerSecond = 0;
  for (let offset = 12; offset + 8 <= file.length; ) {
    const name = file.toString('latin1', offset, offset + 4);
    const length = file.readUInt32LE(offset + 4);
    if (name === 'fmt ' && offset + 20 <= file.length) bytesPerSecond = file.readUInt32LE(offset + 16);
    // What is written as it is recorded says no length.
    if (name === 'data') return bytesPerSecond > 0 ? Math.min(length, file.length - offset - 8) / bytesPerSecond : undefined;
    // Chunks begin at even offsets.
    offset += 8 + length + (length % 2);
  }
  return undefined;
}

/** MP4, M4A and MOV: what the header of the film says. */
function mp4Seconds(file: Buffer) {
  if (file.toString('latin1', 4, 8) !== 'ftyp') return undefined;
  const at = file.indexOf('mvhd', 0, 'latin1');
  if (at < 0 || at + 36 > file.length) return undefined;
  const isLong = file[at + 4] === 1;
  const perSecond = file.readUInt32BE(at + (isLong ? 24 : 16));
  const length = isLong ? file.readUInt32BE(at + 28) * 2 ** 32 + file.readUInt32BE(at + 32) : file.readUInt32BE(at + 20);
  return perSecond > 0 && length > 0 ? length / perSecond : undefined;
}

/** Samples of 16 bits without a header: `audio/pcm;rate=24000`, `audio/L16; rate=16000`. */
function pcmSeconds(file: Buffer, mediaType: string) {
  if (!/^audio\/(?:l16|pcm)/i.test(mediaType)) return undefined;
  const rate = Number(/rate=(\d{1,6})/i.exec(mediaType)?.[1] ?? 24_000);
  return rate > 0 ? file.length / (2 * rate) : undefined;
}

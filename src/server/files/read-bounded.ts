/** The body of a response, or null as soon as it exceeds the bound, whatever its headers said. */
export async function readBounded(response: Response, atMost: number): Promise<Buffer | null> {
  if (Number(response.headers.get('content-length') ?? 0) > atMost) {
    await response.body?.cancel();
    return null;
  }
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early cancels the body.
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > atMost) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Null for a text that is no address. `URL.canParse` and `URL.parse` are newer than the oldest supported browsers. */
export function parsedUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

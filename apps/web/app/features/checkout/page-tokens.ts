const declaration = /(--[\w-]+):\s*([^;}]+)/g

/**
 * The tokens that a style sheet uses, dark by the reader's system and not by a choice in the dashboard: the payer's page has no script, and
 * each of its bytes is paid for.
 * @param tokens the text of `components/ui/tokens.css`
 */
export function pageTokens(tokens: string, styles: string): string {
  const used = new Set([...styles.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name))
  const block = (text: string | undefined) =>
    [...(text ?? '').matchAll(declaration)]
      .filter(([, name]) => used.has(name))
      .map(([, name, value]) => `${name}:${value?.trim()};`)
      .join('')
  const [light, dark] = tokens.replace(/\/\*.*?\*\//gs, '').split('@media screen')
  return `:root{color-scheme:light dark;${block(light)}}@media screen and (prefers-color-scheme:dark){:root{${block(dark)}}}`
}

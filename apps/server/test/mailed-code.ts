/** The one-time code in the text of an email; empty when there is none. */
export const codeIn = (text: string | undefined): string => /\b\d{6}\b/.exec(text ?? '')?.[0] ?? ''

/** A code that differs from the given one. */
export const wrongCode = (code: string): string => (code === '000000' ? '000001' : '000000')

/** The code of a mail, which precedes all other digits; empty without a code. */
export const codeIn = (text: string | undefined): string => /\b\d{6}\b/.exec(text ?? '')?.[0] ?? ''

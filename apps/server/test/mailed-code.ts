/** The code of a mail, which stands before everything else with digits; empty without one. */
export const codeIn = (text: string | undefined): string => /\b\d{6}\b/.exec(text ?? '')?.[0] ?? ''

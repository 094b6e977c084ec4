/** Enough of an account number to know one's own again. */
export const masked = (accountNumber: string): string =>
  accountNumber.length < 8 ? '••••' : `•••• ${accountNumber.slice(-4)}`

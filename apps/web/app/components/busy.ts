/** For a button while its request runs: it looks disabled and says so, and unlike a disabled one it keeps the focus. */
export const busy = (running: boolean) => (running ? { 'data-disabled': true, 'aria-disabled': true } : {})

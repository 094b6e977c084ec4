type Toast = typeof import('./toast.ts')['toast']

/** For code that every page carries: the toasts come over the wire when there is something to say. */
export function lateToast(say: (toast: Toast) => void): void {
  void import('./toaster.tsx').then(({ toast }) => say(toast))
}

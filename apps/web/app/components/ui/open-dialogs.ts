let dialogs: readonly HTMLDialogElement[] = []

function setDialogs(next: readonly HTMLDialogElement[]): void {
  const root = document.documentElement
  const last = next.at(-1)
  // The page behind does not scroll, and the place of its scrollbar stays empty.
  if (root.dataset.dialog === undefined)
    root.style.setProperty('--scrollbar', `${innerWidth - root.clientWidth}px`)
  if (last) root.dataset.dialog = 'open'
  else delete root.dataset.dialog
  for (const part of document.body.children)
    part.toggleAttribute(
      'inert',
      last !== undefined && !part.contains(last) && !part.matches('[data-toasts]'),
    )
  dialogs = next
}

/**
 * The open dialogs. Everything outside of the last one is inert, except the toasts: the browser's own modal mode would make them inert too,
 * so that nobody could dismiss them and no screen reader would announce them.
 */
export const openDialogs = {
  isLast: (dialog: HTMLDialogElement) => dialogs.at(-1) === dialog,
  add: (dialog: HTMLDialogElement) => setDialogs([...dialogs, dialog]),
  remove: (dialog: HTMLDialogElement) => setDialogs(dialogs.filter((each) => each !== dialog)),
}

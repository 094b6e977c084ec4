/** Every browser has read the file by then. */
const RETENTION_MS = 60_000

/** Has the browser save a file that was made here. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), RETENTION_MS)
}

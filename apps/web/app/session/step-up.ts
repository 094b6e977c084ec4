/** Shows the question; false when the person gives no answer. */
type Ask = () => Promise<boolean>

let ask: Ask | null = null
let asked: Promise<boolean> | null = null

/** The one who shows the question from now on. Returns a function that stops, with a question that has no answer yet. */
export function askBy(next: Ask): () => void {
  ask = next
  return () => {
    ask = null
    asked = null
  }
}

/** Asks the person of the session for the password or a code. Calls that need it at the same time have one question. */
export async function confirmPerson(): Promise<boolean> {
  asked ??= ask?.() ?? null
  const isConfirmed = await asked
  asked = null
  return isConfirmed ?? false
}

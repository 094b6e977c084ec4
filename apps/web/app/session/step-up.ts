/** Shows the question; false when the person gives no answer. */
type Ask = () => Promise<boolean>

let ask: Ask | null = null
let asked: Promise<boolean> | null = null

/** The one who shows the question from now on. Returns a function that stops. */
export function askBy(next: Ask): () => void {
  ask = next
  return () => {
    if (ask === next) ask = null
  }
}

/** Asks the person of the session for the password or a code. Calls that need it at the same time have one question. */
export function confirmPerson(): Promise<boolean> {
  if (asked !== null) return asked
  const answer = ask === null ? Promise.resolve(false) : ask()
  asked = answer.finally(() => {
    asked = null
  })
  return asked
}

/** Works at once, then at most once in so many milliseconds; a call in between is made up for at their end. */
export function throttled(work: () => void, everyMs: number): () => void {
  let resting = false
  let again = false
  return function run() {
    if (resting) {
      again = true
      return
    }
    resting = true
    again = false
    work()
    setTimeout(() => {
      resting = false
      if (again) run()
    }, everyMs)
  }
}

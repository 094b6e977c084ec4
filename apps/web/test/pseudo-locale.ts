import { page } from 'vitest/browser'

/** In the tests of components, the texts of this language are English in brackets, longer and with accents. */
export const PSEUDO = 'nd'

const ATTRIBUTES = ['aria-label', 'alt', 'placeholder', 'title']

/** The innermost brackets go first: a date is a text within a text. */
function withoutBrackets(text: string): string {
  const left = text.replaceAll(/⟦[^⟦⟧]*⟧/g, '')
  return left === text ? text : withoutBrackets(left)
}

/**
 * The visible texts and the names for screen readers outside of brackets.
 * @param values everything that the texts do not contain
 */
export function untranslated(selector: string, values: readonly string[]): string[] {
  const copy = document.documentElement.cloneNode(true) as HTMLElement
  for (const other of copy.querySelectorAll('script, style, [aria-hidden=true]')) other.remove()
  const shown = [...copy.querySelectorAll(selector)]
  if (shown.length === 0) throw new Error(`Nothing on the page is ${selector}`)
  const names = shown
    .flatMap((each) => [each, ...each.querySelectorAll('*')])
    .flatMap((each) => ATTRIBUTES.map((name) => each.getAttribute(name) ?? ''))
  const rest = [...shown.map(({ textContent }) => textContent), ...names].join('\n')
  const known = values.toSorted((one, other) => other.length - one.length)
  return known
    .reduce((text, value) => text.replaceAll(value, '\n'), withoutBrackets(rest))
    .split('\n')
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

/** The elements whose text is wider than they are, except code, which scrolls, and the page itself if it scrolls sideways. */
export const clipped = (selector: string): string[] =>
  [document.documentElement, ...document.querySelectorAll(`:is(${selector}) *`)]
    .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
    // The tabs scroll sideways.
    .filter((element) => element.role !== 'tablist')
    .filter(
      (element) => getComputedStyle(element).display !== 'inline' && !element.closest('[aria-hidden], pre'),
    )
    .map(({ outerHTML }) => outerHTML.slice(0, 120))

const folder: string = import.meta.env.MURIPO_SHOTS
let shots = 0

/** MURIPO_SHOTS=FOLDER stores screenshots there for a review by people. */
export async function photograph(): Promise<void> {
  shots += 1
  if (folder) await page.screenshot({ path: `${folder}/pseudo-${shots}.png`, element: document.body })
}

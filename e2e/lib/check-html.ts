import { expect } from '@playwright/test'
import { HtmlValidate, StaticConfigLoader } from 'html-validate'

const standard = { root: true, extends: ['html-validate:standard'], elements: ['html5'] }

const ofPages = new HtmlValidate(new StaticConfigLoader(standard))
// Mail programs lay tables out by attributes that the standard has replaced by styles.
const ofEmails = new HtmlValidate(
  new StaticConfigLoader({ ...standard, rules: { 'no-deprecated-attr': 'off' } }),
)

/** Expects a document of the HTML standard. */
export const expectValidHtml = (html: string, name: string): Promise<void> =>
  expectNoErrors(ofPages, html, name)

export const expectValidEmail = (html: string, name: string): Promise<void> =>
  expectNoErrors(ofEmails, html, name)

async function expectNoErrors(validator: HtmlValidate, html: string, name: string): Promise<void> {
  const { results } = await validator.validateString(html)
  const found = results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, offset }) =>
        `${ruleId}: ${message}: ${html.slice(Math.max(0, offset - 20), offset + 80)}`,
    ),
  )
  expect(found, `HTML of ${name}`).toEqual([])
}

import { expect, test } from './fixtures.ts'
import { checkEveryWidth } from './lib/check-page.ts'
import { button } from './lib/page.ts'

test('the page of the parts is accessible and fits at any width, and its dialogs open and close', async ({
  page,
}) => {
  await page.goto('/dev/parts')
  await expect(page.getByRole('heading', { level: 1, name: 'Parts' })).toBeVisible()
  await checkEveryWidth(page, 'parts', [1440, 320])
  for (const name of ['dialog', 'confirm', 'sheet']) {
    await button(page, `Open the ${name} (light)`).click()
    await expect(page.locator('dialog[open]')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.locator('dialog[open]')).toBeHidden()
    await expect(button(page, `Open the ${name} (light)`)).toBeFocused()
  }
})

test('the list of a searched field follows its text and the arrow keys', async ({ page }) => {
  await page.goto('/dev/parts')
  const field = page
    .getByRole('region', { name: 'dark' })
    .getByRole('combobox', { name: 'Fruit with a search' })
  const options = page.getByRole('option').and(page.locator('[role=option]'))
  await field.focus()
  await expect(options).toHaveCount(6)
  await field.fill('a')
  await page.keyboard.press('ArrowUp')
  await expect(field).toHaveAttribute('aria-activedescendant', /-4$/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(field).toHaveValue('Banana')
  await expect(page.getByRole('listbox')).toBeHidden()
  await field.fill('nothing')
  await expect(page.getByText('No fruit has this name')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(field).toHaveValue('nothing')
})

test('the boxes of a code move the focus with each digit, and delete backwards', async ({ page }) => {
  await page.goto('/dev/parts')
  const boxes = page
    .getByRole('region', { name: 'light' })
    .getByRole('group', { name: 'Code' })
    .getByRole('textbox')
  const code = () => boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value).join('-'))
  await boxes.nth(5).focus()
  await page.keyboard.type('4x5')
  expect(await code()).toBe('1-2-3-4-5-')
  await expect(boxes.nth(5)).toBeFocused()
  await page.keyboard.press('Backspace')
  expect(await code()).toBe('1-2-3-4--')
  await expect(boxes.nth(4)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('9')
  expect(await code()).toBe('1-2-9-4--')
  await expect(boxes.nth(3)).toBeFocused()
})

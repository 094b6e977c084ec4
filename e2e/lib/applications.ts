

export const BANKING = 'Banking Settlements and Reconciliations'

export const pageOf = (id: string) => `/app/applications/manage/${id}`
export const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
export const fact = (page: Page, name: string) =>
  page.getByRole('definition').filter({ has: page.locator(`xpath=preceding-sibling::dt[.="${name}"]`) })

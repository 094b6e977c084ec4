/** What a route module may tell the document through its `handle`. */
export interface PageHandle {
  /** The whole style sheet of a page that is sent without script. */
  readonly plainStyles?: string
  /** The page is built from the kit of components and may show a toast at any time. */
  readonly kit?: boolean
  /** The page also comes in dark; the others are light, whatever the system says. */
  readonly dark?: boolean
  /** The page shows samples and calls nothing. */
  readonly sample?: boolean
}

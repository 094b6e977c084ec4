/** What a route module may tell the document through its `handle`. */
export interface PageHandle {
  /** The whole style sheet of a page that is sent without script. */
  readonly plainStyles?: string
}

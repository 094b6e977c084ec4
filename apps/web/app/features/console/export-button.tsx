import { useMutation } from '@tanstack/react-query'
import { useErrorToast } from '../../components/error-toast.ts'
import { toast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { type CsvColumns, csvOf } from '../../lib/csv-text.ts'
import { saveFile } from '../../lib/save-file.ts'
import { IconDownload } from './icons.ts'
import { useConsoleText } from './text.ts'

/** The calls of an operator are limited to some hundreds a minute. */
const MOST_PAGES = 100

interface Page<Row, Cursor> {
  readonly rows: readonly Row[]
  readonly nextCursor: Cursor | null
}

/** The rows of all pages, as far as one file goes. */
async function allPages<Row, Cursor>(
  readPage: (cursor: Cursor | null) => Promise<Page<Row, Cursor>>,
): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> {
  const rows: Row[] = []
  let cursor: Cursor | null = null
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const read: Page<Row, Cursor> = await readPage(cursor)
    rows.push(...read.rows)
    cursor = read.nextCursor
    if (cursor === null) return { rows, isCut: false }
  }
  return { rows, isCut: true }
}

interface ExportButtonProps<Row, Cursor> {
  /** The name of the file, without its ending. */
  readonly file: string
  readonly columns: CsvColumns<Row>
  /** The rows that the filter leaves. */
  readonly readPage: (cursor: Cursor | null) => Promise<Page<Row, Cursor>>
}

/** Saves a list with its present filter. */
export function ExportButton<Row, Cursor = never>({
  file,
  columns,
  readPage,
}: ExportButtonProps<Row, Cursor>) {
  const t = useConsoleText()
  const saving = useMutation({
    mutationFn: () => allPages(readPage),
    onError: useErrorToast(),
    onSuccess({ rows, isCut }) {
      saveFile(`muripo-${file}.csv`, new Blob([csvOf(columns, rows)], { type: 'text/csv' }))
      if (isCut) toast.error(t('exportCut', { count: rows.length }))
    },
  })
  return (
    <Button
      kind="default"
      icon={IconDownload}
      running={saving.isPending}
      runningLabel={t('exportRunning')}
      onClick={() => saving.mutate()}
    >
      {t('exportCsv')}
    </Button>
  )
}

/** The rows of a list that has one page. */
export const asPage =
  <Row,>(rows: readonly Row[]) =>
  async (): Promise<Page<Row, never>> => ({ rows, nextCursor: null })

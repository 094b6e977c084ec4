import { useMutation } from '@tanstack/react-query'
import { fetchActivity } from '../../../api/activity.ts'
import { useErrorToast } from '../../../components/error-toast.ts'
import { dashboardToast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import type { ActivityFilters } from '../../../lib/activity-filters.ts'
import { csvOf } from '../../../lib/csv-text.ts'
import { saveFile } from '../../../lib/save-file.ts'
import styles from './activity.module.css'
import { columns } from './activity-csv.ts'
import { useActivityText } from './text.ts'

const NAME = 'muripo-activity.csv'
/** A hundred calls, which the limit of a session allows. */
const MOST = 10_000

/** Saves the filtered entries, the newest first. */
export function ExportButton({ filters }: { readonly filters: ActivityFilters }) {
  const t = useActivityText()
  const saving = useMutation({
    mutationFn: () => fetchActivity(filters, MOST),
    onSuccess({ entries, isCut }) {
      saveFile(NAME, new Blob([csvOf(columns, entries)], { type: 'text/csv' }))
      if (!isCut) dashboardToast.success(t('activityExported', { count: entries.length, name: NAME }))
    },
    onError: useErrorToast(),
  })
  return (
    <>
      <Button
        kind="default"
        size="small"
        className={styles.export}
        running={saving.isPending}
        runningLabel={t('exportingActivity')}
        onClick={() => saving.mutate()}
      >
        {t('exportActivity')}
      </Button>
      {saving.data?.isCut && (
        <p role="alert" className={styles.cut}>
          {t('activityCut', { count: saving.data.entries.length, name: NAME })}
        </p>
      )}
    </>
  )
}

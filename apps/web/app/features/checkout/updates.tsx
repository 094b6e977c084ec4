import { STILL } from './refresh.ts'
import { useText } from './text.tsx'

/** Loads the page again, in a browser that runs no script or for a payer who has stopped its updates. */
export function CheckNow({ isStill }: { readonly isStill: boolean }) {
  const t = useText()
  return isStill ? (
    <>
      <p className="hint">{t('doesNotUpdate')}</p>
      <a className="back" href={`?${STILL}`}>
        {t('checkNow')}
      </a>
    </>
  ) : (
    <noscript>
      <a className="back" href="?">
        {t('checkNow')}
      </a>
      <a className="back" href={`?${STILL}`}>
        {t('stopUpdating')}
      </a>
    </noscript>
  )
}

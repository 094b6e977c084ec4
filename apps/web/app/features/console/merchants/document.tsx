import type { MerchantDetails } from '@muripo/contract/console'
import { useEffect, useState } from 'react'
import { font, textLinkClass } from '../../../components/ui/classes.ts'
import { EmptyState, QueryError } from '../../../components/ui/empty-state.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { IconDownload, IconEyeOff } from '../icons.ts'
import { LoadingBody } from '../panel-parts.tsx'
import { useDocument } from '../queries.ts'
import { documentText, useConsoleText } from '../text.ts'
import styles from './merchants.module.css'

/** The identification document, in the browser's own viewer, while the personal data of the merchant is revealed to the operator. */
export function DocumentPanel({ merchant }: { readonly merchant: MerchantDetails }) {
  const t = useConsoleText()
  const { id, name, document, revealedUntil } = merchant
  const file = useDocument(id, revealedUntil)
  const address = useAddressOf(revealedUntil === null ? undefined : file.data)
  return (
    <Panel
      title={`${t('merchantDocument')}: ${documentText(document.type, t)}`}
      busy={file.isFetching}
      aside={
        address && (
          <a
            href={address}
            download={`${document.id}.pdf`}
            className={`${textLinkClass} ${font('sm', 'medium')}`}
          >
            <IconDownload size={18} stroke={1.75} aria-hidden />
            {t('merchantDownload')}
          </a>
        )
      }
    >
      {revealedUntil === null ? (
        <EmptyState icon={IconEyeOff} title={t('merchantDocumentHidden')}>
          {t('merchantDocumentHiddenText')}
        </EmptyState>
      ) : file.error ? (
        <QueryError query={file} />
      ) : address && !navigator.pdfViewerEnabled ? (
        <EmptyState icon={IconDownload} title={t('merchantNoViewer')}>
          {t('merchantNoViewerText')}
        </EmptyState>
      ) : address ? (
        <iframe className={styles.frame} src={address} title={t('merchantDocumentFrame', { name })} />
      ) : (
        <LoadingBody />
      )}
    </Panel>
  )
}

/** The address of a file in this tab, until the page is left. */
function useAddressOf(file: Blob | undefined): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (file === undefined) return
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => {
      setAddress(null)
      URL.revokeObjectURL(made)
    }
  }, [file])
  return address
}

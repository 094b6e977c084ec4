import type { NamedKey } from '@muripo/contract/application-keys'
import type { Application } from '@muripo/contract/applications'
import { KEYS_MAX } from '@muripo/contract/permissions'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useAccount } from '../../../api/account.ts'
import { useKeys } from '../../../api/keys.ts'
import { queryKeys } from '../../../api/query-keys.ts'
import { IconPlus } from '../../../components/icons.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, row } from '../../../components/ui/classes.ts'
import { type Column, DataList } from '../../../components/ui/data-list.tsx'
import { QueryError } from '../../../components/ui/empty-state.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useFormats } from '../../../lib/use-formats.ts'
import { NewKeyDialog, NewKeySheet, ReplaceDialog, RevokeDialog } from './key-dialogs.tsx'
import styles from './named-keys.module.css'
import { useKeysText } from './text.ts'

type Open = { readonly kind: 'replace' | 'revoke'; readonly named: NamedKey } | { readonly kind: 'new' }

/** The keys of an application beside the one that the page shows in full. */
export function NamedKeys({ application: { _id: applicationId } }: { readonly application: Application }) {
  const t = useKeysText()
  const cache = useQueryClient()
  const query = useKeys(applicationId)
  const { data: keys } = query
  const [open, setOpen] = useState<Open | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const columns = useKeyColumns(setOpen)
  const isFull = (keys?.length ?? 0) >= KEYS_MAX
  const change = (newSecret: string | null) => {
    setOpen(null)
    setSecret(newSecret)
    void cache.invalidateQueries({ queryKey: queryKeys.namedKeys(applicationId) })
  }
  const dialog = { applicationId, onClose: () => setOpen(null) }
  const of = (kind: 'replace' | 'revoke') => (open?.kind === kind ? open.named : null)
  return (
    <section className={styles.section} aria-labelledby="named-keys">
      <div className={row('wrap', 'centre', 'between', 'gap24', 'rows12')}>
        <h2 id="named-keys" className={font('md', 'semibold')}>
          {t('namedKeys')}
        </h2>
        {keys && (
          <Button kind="default" icon={IconPlus} disabled={isFull} onClick={() => setOpen({ kind: 'new' })}>
            {t('newKeyButton')}
          </Button>
        )}
      </div>
      <p className={font('quiet', 'pretty')}>
        {t('namedKeysAbout')}
        {isFull && ` ${t('keysComplete', { count: KEYS_MAX })}`}
      </p>
      {!keys && query.error && <QueryError query={query} />}
      {query.isPending && <Skeleton h={64} mt={12} />}
      {keys?.length === 0 && <p className={font('quiet', 'above12')}>{t('noNamedKeys')}</p>}
      {keys && keys.length > 0 && (
        <DataList
          label={t('namedKeys')}
          className={styles.keys}
          columns={columns}
          items={keys}
          keyOf={({ id }) => id}
        />
      )}
      <NewKeySheet {...dialog} opened={open?.kind === 'new'} onCreated={change} />
      <ReplaceDialog {...dialog} named={of('replace')} onReplaced={change} />
      <RevokeDialog {...dialog} named={of('revoke')} onRevoked={() => change(null)} />
      <NewKeyDialog secret={secret} onClose={() => setSecret(null)} />
    </section>
  )
}

function useKeyColumns(open: (dialog: Open) => void): readonly Column<NamedKey>[] {
  const t = useKeysText()
  const { whenText } = useFormats()
  const isLive = useAccount().data?.gatewayMode === 'live'
  return [
    {
      title: t('keyName'),
      area: 'name',
      cell: ({ name, mode, permissions }) => (
        <>
          <strong className={font('anywhere')}>{name}</strong>
          {isLive && ` · ${t(mode === 'live' ? 'keyModeLive' : 'keyModeTest')}`}
          <p className={font('sm', 'quiet', 'anywhere')}>{permissions.join(', ')}</p>
        </>
      ),
    },
    {
      title: t('keyLastUsed'),
      area: 'used',
      isQuiet: true,
      cardTitle: t('keyLastUsed'),
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('keyNeverUsed') : whenText(lastUsedAt)),
    },
    {
      title: t('keyEnd'),
      area: 'end',
      isQuiet: true,
      cardTitle: t('keyEnd'),
      cell: ({ expiresAt }) => (expiresAt === null ? t('endNever') : whenText(expiresAt)),
    },
    {
      title: t('replaceKey'),
      isTitleHidden: true,
      area: 'actions',
      placeholder: 'button',
      cell: (named) => (
        <div className={row('gap8')}>
          <Button kind="default" size="small" onClick={() => open({ kind: 'replace', named })}>
            {t('replaceKey')}
          </Button>
          <Button kind="plain" size="small" onClick={() => open({ kind: 'revoke', named })}>
            {t('revokeKeyButton')}
          </Button>
        </div>
      ),
    },
  ]
}

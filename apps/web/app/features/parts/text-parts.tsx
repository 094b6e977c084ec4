import { IconReceipt } from '../../components/icons.ts'
import { Button } from '../../components/ui/button.tsx'
import { EmptyState, LoadError, QueryError } from '../../components/ui/empty-state.tsx'
import { Fact, Facts, KeyFact } from '../../components/ui/facts.tsx'
import { Note } from '../../components/ui/note.tsx'
import { PageHeader, RefreshButton } from '../../components/ui/page-header.tsx'
import { Panel } from '../../components/ui/panel.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { PaymentStatusBadge, StatusBadge } from '../../components/ui/status-badge.tsx'
import { Part } from './part.tsx'
import styles from './parts.module.css'

const tones = ['green', 'yellow', 'red', 'purple', 'grey'] as const

export const TextParts = ({ scheme }: { readonly scheme: string }) => (
  <>
    <Part name="StatusBadge">
      <div className={styles.row}>
        {tones.map((tone) => (
          <StatusBadge key={tone} tone={tone}>
            {tone}
          </StatusBadge>
        ))}
        <PaymentStatusBadge status="COMPLETED" />
      </div>
    </Part>
    <Part name="PageHeader, RefreshButton">
      <PageHeader title="Payments" subtitle="All payments of your applications">
        <RefreshButton loading={false} onClick={() => undefined} />
        <RefreshButton loading onClick={() => undefined} />
      </PageHeader>
    </Part>
    <Part name="Panel">
      <Panel title={`Panel (${scheme})`} aside={<StatusBadge tone="grey">aside</StatusBadge>} busy={false}>
        <EmptyState icon={IconReceipt} title="The content" />
      </Panel>
    </Part>
    <Part name="Note">
      <Note>Add your bank account first. The name is checked with it.</Note>
    </Part>
    <Part name="Facts, Fact, KeyFact">
      <Facts columns>
        <Fact name="Customer">Tendai Moyo</Fact>
        <Fact name="Amount">USD 12.50</Fact>
        <Fact name="Purpose" full>
          A value that is long enough for a second line on a phone, with/a/word/that/has/no/space/in/it
        </Fact>
        <KeyFact name="Application Key" hint="Shown once.">
          mk_test_000000000000000000000000000000
        </KeyFact>
      </Facts>
    </Part>
    <Part name="EmptyState">
      <EmptyState icon={IconReceipt} title="No invoices" action={<Button>Create one</Button>}>
        Invoices that you send appear here.
      </EmptyState>
    </Part>
    <Part name="LoadError, QueryError">
      <LoadError onRetry={() => undefined} retrying={false}>
        The payments could not be loaded.
      </LoadError>
      <QueryError query={{ error: new Error(), isFetching: true, refetch: () => undefined }} />
    </Part>
    <Part name="Skeleton">
      <Skeleton h={24} w={160} />
    </Part>
  </>
)

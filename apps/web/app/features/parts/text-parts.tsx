import { Link } from 'react-router'
import { IconReceipt } from '../../components/icons.ts'
import { Button } from '../../components/ui/button.tsx'
import { coverClass, font, grid, notice, row, stack, surface } from '../../components/ui/classes.ts'
import { EmptyState, LoadError, QueryError } from '../../components/ui/empty-state.tsx'
import { Fact, Facts, KeyFact } from '../../components/ui/facts.tsx'
import { Note } from '../../components/ui/note.tsx'
import { PageHeader, RefreshButton } from '../../components/ui/page-header.tsx'
import { Panel } from '../../components/ui/panel.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { PaymentStatusBadge, StatusBadge } from '../../components/ui/status-badge.tsx'
import { Part } from './part.tsx'
import styles from './parts.module.css'

const sizes = ['xs', 'sm', 'md', 'base', 'lg', 'xl'] as const
const tones = ['green', 'yellow', 'red', 'purple', 'grey'] as const

export const TextParts = ({ scheme }: { readonly scheme: string }) => (
  <>
    <Part name="font">
      {sizes.map((size) => (
        <p key={size} className={font(size, 'clip')}>
          <span className={font('regular')}>{size}</span> <span className={font('medium')}>medium</span>{' '}
          <span className={font('semibold')}>semibold</span> <span className={font('bold')}>bold</span>{' '}
          <span className={font('mono', 'quiet')}>quiet, mono</span>
        </p>
      ))}
      <p className={font('title', 'bold', 'tight')}>A heading is tight</p>
    </Part>
    <Part name="row, stack, grid">
      <div className={row('centre', 'between', 'gap12')}>
        <span>between</span>
        <span className={stack('gap4')}>
          <span>stack</span>
          <span>below</span>
        </span>
        <span className={grid('gap4')}>
          <span>grid</span>
          <span>below</span>
        </span>
      </div>
    </Part>
    <Part name="surface, notice, coverClass">
      <div className={surface('inset', 'tinted')}>inset, tinted</div>
      <div className={surface('ink')}>
        ink, with <button type="button">its outline of the focus</button>
      </div>
      <p className={notice('failure')}>A message about a failure</p>
      <p className={notice('success')}>A message about a success</p>
      <p className={`${styles.covered} ${surface('inset')}`}>
        <Link to="/dev/parts" className={coverClass}>
          The link
        </Link>{' '}
        covers its card
      </p>
    </Part>
    <Part name="StatusBadge">
      <div className={row('wrap', 'centre', 'gap12')}>
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

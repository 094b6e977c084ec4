import { EmptyState, LoadError } from '../../components/empty-state.tsx'
import { Fact, Facts, KeyFact } from '../../components/facts.tsx'
import { IconReceipt } from '../../components/icons.ts'
import { Note } from '../../components/note.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { Part } from './part.tsx'
import styles from './parts.module.css'

const tones = ['green', 'yellow', 'red', 'purple', 'grey'] as const

export const TextParts = () => (
  <>
    <Part name="StatusBadge">
      <div className={styles.row}>
        {tones.map((tone) => (
          <StatusBadge key={tone} tone={tone}>
            {tone}
          </StatusBadge>
        ))}
      </div>
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
    <Part name="LoadError">
      <LoadError onRetry={() => undefined} retrying={false}>
        The payments could not be loaded.
      </LoadError>
      <LoadError onRetry={() => undefined} retrying>
        The payments could not be loaded.
      </LoadError>
    </Part>
    <Part name="Skeleton">
      <Skeleton h={24} w={160} />
    </Part>
  </>
)

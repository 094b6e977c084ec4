import { Skeleton } from '@mantine/core'
import type { Account } from '@muripo/contract/account'
import { useAccount } from '../../api/account.ts'
import { Fact, Facts } from '../../components/description-list.tsx'
import styles from './profile.module.css'
import { Section } from './section.tsx'

const types: Readonly<Record<Account['accountType'], string>> = {
  individual: 'Individual',
  business: 'Business',
}

export function Profile() {
  const { data: account, error, isFetching, refetch } = useAccount()
  const value = (text: string | undefined) => text ?? <Skeleton h={14} w="60%" my={5} />
  return (
    <Section
      title="Profile"
      about="As you gave it when you opened the account. Write to us when something of it has changed."
      busy={!account}
      error={error && !account ? { text: error.message, onRetry: refetch, retrying: isFetching } : null}
    >
      <div className={styles.profile}>
        <Facts columns>
          <Fact name="Name">{value(account?.fullname)}</Fact>
          <Fact name="Account type">{value(account && types[account.accountType])}</Fact>
          <Fact name="Email">{value(account?.email)}</Fact>
          <Fact name="Phone">{value(account?.phone)}</Fact>
        </Facts>
      </div>
    </Section>
  )
}

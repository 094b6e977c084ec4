import type { Application } from '@muripo/contract/applications'
import { longDateText } from '../../lib/format.ts'
import { useTimeZone } from '../account.ts'
import { Fact, Facts } from './facts.tsx'

export function BasicTab({ application }: { readonly application: Application }) {
  const timeZone = useTimeZone()
  return (
    <Facts columns>
      <Fact name="Application Name">{application.applicationName}</Fact>
      <Fact name="Category">{application.category}</Fact>
      <Fact name="Description" full>
        {application.description}
      </Fact>
      <Fact name="Created">{longDateText(application.createdAt, timeZone)}</Fact>
      <Fact name="Last Updated">{longDateText(application.updatedAt, timeZone)}</Fact>
    </Facts>
  )
}

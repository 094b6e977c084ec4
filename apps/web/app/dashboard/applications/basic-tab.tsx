import type { Application } from '@muripo/contract/applications'
import { longDateText } from '../../lib/format.ts'
import { Fact, Facts } from './facts.tsx'

interface BasicTabProps {
  readonly application: Application
  readonly timeZone: string | undefined
}

export const BasicTab = ({ application, timeZone }: BasicTabProps) => (
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

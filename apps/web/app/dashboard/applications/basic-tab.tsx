import type { Application } from '@muripo/contract/applications'
import { longDateText } from '../../lib/format.ts'
import { Fact, Facts } from './facts.tsx'

export const BasicTab = ({ application }: { readonly application: Application }) => (
  <Facts columns>
    <Fact name="Application Name">{application.applicationName}</Fact>
    <Fact name="Category">{application.category}</Fact>
    <Fact name="Description" full>
      {application.description}
    </Fact>
    <Fact name="Created">{longDateText(application.createdAt)}</Fact>
    <Fact name="Last Updated">{longDateText(application.updatedAt)}</Fact>
  </Facts>
)

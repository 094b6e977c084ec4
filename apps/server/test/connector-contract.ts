import { describeAuthorisations } from './connector-authorisations.ts'
import { describeCharges } from './connector-charges.ts'
import { describeDeclarations } from './connector-declarations.ts'
import { createConnectorHarness } from './connector-harness.ts'
import { describeRefunds } from './connector-refunds.ts'
import type { ConnectorUnderTest } from './connector-under-test.ts'

/**
 * The rules that every connector keeps towards the engine, checked against the simulator of its provider: its declarations are true, an
 * unknown outcome is never reported as a failure, and a call that moves money is sent once.
 */
export function describeConnector(name: string, under: ConnectorUnderTest): void {
  const harness = createConnectorHarness(under)
  describeDeclarations(name, under, harness)
  describeCharges(name, under, harness)
  describeAuthorisations(name, under, harness)
  describeRefunds(name, under, harness)
}

import { certificateFor } from '@muripo/testing/certificate'
import { type ProxyProcess, startProxy } from '../../../apps/server/test/proxy-process.ts'

/** Connections beside those of the load: the visits', and the checks of the gateway. */
const OTHER_CONNECTIONS = 500

/**
 * Starts HAProxy with the example in front of one gateway. The load has one address and no encryption, so the limit of an address is
 * raised and TLS left out.
 */
export async function startHaproxy(gatewayPort: number, connections: number): Promise<ProxyProcess> {
  const most = connections + OTHER_CONNECTIONS
  const adapt = (configuration: string) =>
    configuration
      .replace(/ ssl crt \S+ alpn \S+/, '')
      .replace(/sc0_conn_cur gt \d+/, `sc0_conn_cur gt ${most}`)
      .replace(/maxconn 200$/m, `maxconn ${most}`)
      .replaceAll(/^\tserver b .*\n/gm, '')
  return startProxy('haproxy', await certificateFor('localhost'), [gatewayPort, gatewayPort], { adapt })
}

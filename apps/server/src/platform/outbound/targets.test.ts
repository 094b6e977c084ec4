import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { anyTargets, isPublicAddress, nameServers, publicTargets, type Targets } from './targets.ts'

const nobody: Targets = publicTargets(async () => {
  throw new Error('no name is looked up for this')
})

describe('in production', () => {
  test.each([
    'https://example.com',
    'https://example.com/hooks?a=b',
    'https://example.com:443/',
    'https://sub.example.com:8443/',
    'https://bücher.example/',
    'https://127.0.0.1.example.com/',
    'https://169.254.169.254.nip.io/',
  ])('%s may be looked up', (url) => expect(nobody.errorOf(new URL(url))).toBeNull())

  test.each([
    'http://example.com/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    'data:text/plain,x',
    'ws://example.com',
    'blob:https://example.com/1',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://:secret@example.com/',
    'https://example.com@127.0.0.1/',
    'https://example.com:80/',
    'https://example.com:22/',
    'https://example.com:5432/',
    'https://example.com:6379/',
    'https://example.com:1/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://2130706433/',
    'https://017700000001/',
    'https://0x7f000001/',
    'https://0x7f.1/',
    'https://0x7f.0x0.0x0.0x1/',
    'https://0177.0.0.1/',
    'https://0177.0.0.01/',
    'https://127.0.0.1./',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://3232235777/',
    'https://0xA9FEA9FE/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2852039166/',
    'https://0251.0376.0251.0376/',
    'https://8.8.8.8/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:a9fe:a9fe]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[2606:4700:4700::1111]/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://localhost./',
    'https://metadata/',
    'https://example.com./',
    'https://database/',
    'https:\\\\127.0.0.1\\',
    'https:///127.0.0.1/',
    'https:127.0.0.1/',
    'https://\t127.0.0.1/',
    'https://127.0.0.1#@example.com/',
    'https://127.0.0.1?@example.com/',
    'https://127.0.0.1\\@example.com/',
  ])('%j is refused before any name is looked up', (url) =>
    expect(nobody.errorOf(new URL(url))?.message).toMatch(/^Must /),
  )

  test.each([
    'https://',
    'https://[::1',
    'https://[fe80::1%eth0]/',
    'https://1.2.3.4.5/',
    'https://exa mple.com/',
  ])('%j is no address', (url) => expect(URL.canParse(url)).toBe(false))

  test('one private address is enough to refuse all', async () => {
    const fifty = Array.from({ length: 50 }, (_, index) => `8.8.8.${index}`)
    const among = (address: string) => publicTargets(async () => [...fifty, address, ...fifty])
    await expect(among('1.1.1.1').addressesOf('h')).resolves.toHaveLength(101)
    for (const address of ['10.0.0.1', '127.0.0.1', '::1', '169.254.169.254', '::ffff:8.8.8.8', 'nonsense']) {
      await expect(among(address).addressesOf('h')).rejects.toMatchObject({ code: 'address_refused' })
    }
  })

  test('an unknown name, or one whose look-up fails, is refused', async () => {
    await expect(publicTargets(async () => []).addressesOf('h')).rejects.toMatchObject({ code: 'not_found' })
    await expect(nobody.addressesOf('h')).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('in development a merchant’s server may be on this machine', async () => {
  const targets = anyTargets()
  for (const url of [
    'http://127.0.0.1:4000/',
    'http://localhost:4000/',
    'https://10.0.0.1/',
    'http://[::1]:1/',
  ]) {
    expect(targets.errorOf(new URL(url))).toBeNull()
  }
  expect(targets.errorOf(new URL('ftp://localhost/'))?.message).toMatch(/^Must /)
  expect(targets.errorOf(new URL('http://user@localhost/'))?.message).toMatch(/^Must /)
  expect(await targets.addressesOf('localhost')).not.toEqual([])
})

describe('name servers', () => {
  let socket: Socket | undefined
  afterEach(() => socket?.close())

  /** A name server with a configured reply: an address, NODATA, or a failure. */
  async function nameServer(answer: (family: 4 | 6) => readonly string[] | 'fails'): Promise<string> {
    const server = createSocket('udp4')
    socket = server
    server.on('message', (query, { port, address }) => server.send(reply(query, answer), port, address))
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
    return `127.0.0.1:${server.address().port}`
  }

  test('addresses of both families are found, and a name may have one family only', async () => {
    const both = await nameServer((family) =>
      family === 4 ? ['93.184.216.34', '1.1.1.1'] : ['2606:4700::1'],
    )
    expect((await nameServers([both])('shop.example.com')).toSorted()).toEqual([
      '1.1.1.1',
      '2606:4700::1',
      '93.184.216.34',
    ])
    socket?.close()
    const one = await nameServer((family) => (family === 4 ? ['93.184.216.34'] : []))
    expect(await nameServers([one])('shop.example.com')).toEqual(['93.184.216.34'])
  })

  test('a private address in the other family is found too', async () => {
    const server = await nameServer((family) => (family === 4 ? ['93.184.216.34'] : ['::1']))
    const targets = publicTargets(nameServers([server]))
    await expect(targets.addressesOf('shop.example.com')).rejects.toMatchObject({ code: 'address_refused' })
  })

  test('when one family cannot be looked up, the name is unknown', async () => {
    const server = await nameServer((family) => (family === 4 ? ['93.184.216.34'] : 'fails'))
    const targets = publicTargets(nameServers([server]))
    await expect(targets.addressesOf('shop.example.com')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('the hosts file of this machine is not used', async () => {
    const server = await nameServer(() => [])
    expect(await nameServers([server])('localhost.example')).toEqual([])
  })
})

/** A reply to a query for A or AAAA records, as in RFC 1035. */
function reply(query: Buffer, answer: (family: 4 | 6) => readonly string[] | 'fails'): Buffer {
  const end = query.indexOf(0, 12) + 5
  const question = query.subarray(12, end)
  const type = query.readUInt16BE(end - 4)
  const addresses = answer(type === 1 ? 4 : 6)
  const records = addresses === 'fails' ? [] : addresses
  const header = Buffer.alloc(12)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(addresses === 'fails' ? 0x8182 : 0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, question, ...records.map((address) => record(type, bytesOf(address)))])
}

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

function bytesOf(address: string): Buffer {
  if (address.includes('.')) return Buffer.from(address.split('.').map(Number))
  const [before = '', after = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const zeros = Array.from({ length: 8 - groups(before).length - groups(after).length }, () => '0')
  const words = [...groups(before), ...zeros, ...groups(after)].map((group) => Number.parseInt(group, 16))
  return Buffer.from(words.flatMap((word) => [word >> 8, word & 255]))
}

const refused = [
  // "This network", and the machine itself.
  ...[
    '0.0.0.0',
    '0.0.0.1',
    '0.1.2.3',
    '0.255.255.255',
    '127.0.0.1',
    '127.0.0.53',
    '127.1.2.3',
    '127.255.255.255',
  ],
  // Private, shared by a carrier, link-local, and the metadata services of clouds.
  ...['10.0.0.0', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.20.10.2', '172.31.255.255'],
  ...['192.168.0.1', '192.168.1.254', '192.168.255.255', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
  ...['169.254.0.1', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
  // Reserved for protocols, documentation, benchmarks, relays, multicast and future use.
  ...['192.0.0.1', '192.0.0.170', '192.0.0.192', '192.0.2.1', '192.0.2.255', '192.88.99.1', '198.18.0.1'],
  ...['198.19.255.255', '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.255.255.250', '240.0.0.1'],
  ...['247.1.2.3', '250.0.0.1', '255.255.255.254', '255.255.255.255'],
  // The same ranges in IPv6.
  ...[
    '::',
    '::1',
    '::2',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'fc00::1',
    'fd00::1',
    'fdff:ffff::1',
  ],
  ...['fd00:ec2::254', 'ff02::1', 'ff0e::1', '2001:db8::1', '2001:db8:ffff::1', '3fff::1', '3fff:fff::1'],
  ...['100::1', '100:0:0:1::1', '5f00::1', '4000::1', '8000::1', 'e000::1', '2001::1', '2001:1::1'],
  ...['2001:2::1', '2001:3::1', '2001:4:112::1', '2001:10::1', '2001:20::1', '2001:30::1', '2001:1ff::1'],
  // IPv6 addresses that contain any IPv4 address.
  ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:8.8.8.8', '::ffff:7f00:1'],
  ...['::ffff:a9fe:a9fe', '::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ...['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '64:ff9b::808:808', '64:ff9b:1::1', '64:ff9b:1::7f00:1'],
  ...[
    '2002::1',
    '2002:7f00:1::',
    '2002:a9fe:a9fe::1',
    '2002:808:808::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  ],
  // Texts that are no address as a resolver writes one.
  ...[
    '',
    ' ',
    'localhost',
    'example.com',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '010.8.8.8',
    '1.1.1',
  ],
  ...[
    '1.1.1.1 ',
    ' 8.8.8.8',
    '8.8.8.8.',
    '8.8.8.256',
    '8.8.8',
    '0x8080808',
    '134744072',
    '[::1]',
    '[2606:4700::1]',
  ],
  ...[
    '2606:4700:4700::1111%lo',
    '8.8.8.8/32',
    '8.8.8.8:443',
    '８.8.8.8',
    '1:2:3',
    ':::1',
    '::g',
    '8.8.8.8\n',
  ],
]

const allowed = [
  ...[
    '1.0.0.1',
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
  ],
  ...[
    '128.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.1',
  ],
  ...['192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  ...['198.51.99.1', '203.0.112.1', '203.0.114.1', '223.255.255.254', '2606:4700:4700::1111'],
  ...['2001:4860:4860::8888', '2001:200::1', '2003::1', '2a00:1450::1', '2400:cb00::1', '2c0f:f248::1'],
]

describe('a merchant’s address', () => {
  test('the vectors are many', () => expect(refused.length + allowed.length).toBeGreaterThan(140))
  test.each(refused)('%j is not on the public network', (address) =>
    expect(isPublicAddress(address)).toBe(false),
  )
  test.each(allowed)('%j is on the public network', (address) => expect(isPublicAddress(address)).toBe(true))
})

/** The English texts that every email has around its content. */
export const email = {
  hello: 'Hello {name},',
  helloWithoutName: 'Hello,',
  when: 'When',
  device: 'Device',
  network: 'Internet address',
  onDashboard: 'as on your dashboard',
} as const satisfies Readonly<Record<string, string>>

import { describe, expect, test } from 'vitest'
import { hashOf, hasValidHash, readMessage, signedBody } from './wire.ts'

/** The key of Paynow's documentation. */
const key = '3e9fed89-60e1-4ce5-ab6e-6b1eb2d4f977'

describe('the hash of', () => {
  test('the outbound example of the documentation', () => {
    const hash = hashOf(
      [
        ['id', '1201'],
        ['reference', 'TEST REF'],
        ['amount', '99.99'],
        ['additionalinfo', 'A test ticket transaction'],
        ['returnurl', 'http://www.google.com/search?q=returnurl'],
        ['resulturl', 'http://www.google.com/search?q=resulturl'],
        ['status', 'Message'],
      ],
      key,
    )
    expect(hash).toBe(
      '2A033FC38798D913D42ECB786B9B19645ADEDBDE788862032F1BD82CF3B92DEF84F316385D5B40DBB35F1A4FD7D5BFE73835174136463CDD48C9366B0749C689',
    )
  })

  test('the inbound example of the documentation', () => {
    const text =
      'status=Ok&browserurl=https%3a%2f%2fstaging.paynow.co.zw%2fPayment%2fConfirmPayment%2f9510&pollurl=https%3a%2f%2fstaging.paynow.co.zw%2fInterface%2fCheckPayment%2f%3fguid%3dc7ed41da-0159-46da-b428-69549f770413&paynowreference=9510'
    const hash = hashOf(readMessage(text)?.fields ?? [], key)
    expect([hash.slice(0, 8), hash.slice(-10)]).toEqual(['750DD0B0', 'FDCE71DF4D'])
  })

  test('a wallet charge and of a callback', () => {
    const charge = hashOf(
      [
        ['id', '1201'],
        ['reference', 'PAY-1001'],
        ['amount', '12.50'],
        ['additionalinfo', 'Order 1001'],
        ['returnurl', 'https://gw.example/r/1001'],
        ['resulturl', 'https://gw.example/cb/1001'],
        ['authemail', 'buyer@example.com'],
        ['phone', '0771111111'],
        ['method', 'ecocash'],
        ['merchanttrace', 't1001'],
        ['status', 'Message'],
      ],
      key,
    )
    expect(charge).toBe(
      '982C25C978F1C87D183865FCBF1585BCDE0D4D3C187D6639F147EF1D830C37466CF512172838C8C9213DE21C4C1438A2E8A21C4FDB7EFBEB3D992E270412B50B',
    )
    const text =
      'reference=PAY-1001&paynowreference=77001&amount=12.50&status=Awaiting+Delivery&pollurl=https%3a%2f%2fwww.paynow.co.zw%2fInterface%2fCheckPayment%2f%3fguid%3dabc'
    expect(hashOf(readMessage(text)?.fields ?? [], key)).toBe(
      '74E0EBFA538755D2B19383FAF45767C43176FC9A1CF1F50C82E66B62DCDB310E73CDCCC8F569A8A9C4322AB1F25E4981634FB232E0491CDD6DF26AF62C296810',
    )
  })
})

describe('a message', () => {
  const fields = [
    ['Status', 'Ok'],
    ['Error', 'naïve & =+%'],
  ] as const

  test('is sent and read with the same values, whatever they contain, and its names are read in any case', () => {
    const message = readMessage(signedBody(fields, key))
    expect(message?.get('error')).toBe('naïve & =+%')
    expect(message && hasValidHash(message, key.toUpperCase())).toBe(true)
  })

  test('has a valid hash in either case of its digits, and in no other order or with any other value', () => {
    const valid = (text: string) => {
      const message = readMessage(text)
      return message !== null && hasValidHash(message, key)
    }
    const hash = hashOf(fields, key)
    const encoded = 'na%C3%AFve+%26+%3D%2B%25'
    expect(valid(`status=Ok&error=${encoded}&hash=${hash.toLowerCase()}`)).toBe(true)
    expect(valid(`hash=${hash}&status=Ok&error=${encoded}`)).toBe(true)
    expect(valid(`error=${encoded}&status=Ok&hash=${hash}`)).toBe(false)
    expect(valid(`status=Ok&error=${encoded}&more=1&hash=${hash}`)).toBe(false)
    expect(valid(`status=Ok&error=${encoded}`)).toBe(false)
    expect(valid(`status=Ok&error=${encoded}&hash=${hash.slice(1)}`)).toBe(false)
    expect(valid(`status=Ok&error=${encoded}&hash=${'é'.repeat(128)}`)).toBe(false)
  })

  test.each([
    ['nothing', ''],
    ['a page', '<html><head><title>Request Rejected</title></head></html>'],
    ['JSON', '{"status":"Ok"}'],
    ['no status', 'reference=1&amount=2'],
    ['a field twice', 'status=Paid&Status=Cancelled'],
    ['an escape that is none', 'status=%zz'],
  ])('is not read from %s', (_name, text) => {
    expect(readMessage(text)).toBeNull()
  })
})

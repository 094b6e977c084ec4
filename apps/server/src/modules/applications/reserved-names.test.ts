import { describe, expect, test } from 'vitest'
import { OTHER_LETTERS, operatorNames, reservedWordsIn, unnamedWords } from './reserved-names.ts'

describe('a name that payers may take for another company', () => {
  test.each([
    ['EcoCash Official Refunds', ['EcoCash']],
    ['ecocash', ['EcoCash']],
    ['E c o C a s h', ['EcoCash']],
    ['Eco-Cash.Refunds', ['EcoCash']],
    ['MyEcoCash', ['EcoCash']],
    ['Ec0Ca5h', ['EcoCash']],
    ['ＥｃｏＣａｓｈ', ['EcoCash']],
    ['𝐄𝐜𝐨𝐂𝐚𝐬𝐡', ['EcoCash']],
    ['ÉcöCásh', ['EcoCash']],
    ['E\u0301c\u0323o\u0307Cash', ['EcoCash']],
    ['ЕсоСаѕһ', ['EcoCash', OTHER_LETTERS]],
    ['EcoC\u0430sh', ['EcoCash', OTHER_LETTERS]],
    ['ᴇᴄᴏᴄᴀsʜ', ['EcoCash', OTHER_LETTERS]],
    ['🅴🅲🅾🅲🅰🆂🅷', ['EcoCash', OTHER_LETTERS]],
    ['🇻🇮🇸🇦', ['Visa', OTHER_LETTERS]],
    ['Ⓥⓘⓢⓐ', ['Visa']],
    ['lnnBucks Agent', ['InnBucks']],
    ['|nnBuck$', ['InnBucks']],
    ['0neMoney', ['OneMoney']],
    ['Οne Μoney', ['OneMoney', OTHER_LETTERS]],
    ['ΟΝΕ ΜΟΝΕΥ', ['OneMoney', OTHER_LETTERS]],
    ['OrneMoney', []],
    ['Ornari', ['Omari']],
    ['V1SA', ['Visa']],
    ['V.I.S.A', ['Visa']],
    ['VisaRefunds', ['Visa']],
    ['Master Card', ['Mastercard']],
    ['Zim Switch', ['ZimSwitch']],
    ['CBZ Bank', ['CBZ']],
    ['C B Z', ['CBZ']],
    ['Steward-Bank', ['Steward Bank']],
    ['Murlpo Support', ['Muripo']],
    ['Acrne Payments', ['Acme Payments', 'acme-payments']],
  ])('%s', (name, found) => {
    expect(
      reservedWordsIn(
        name,
        operatorNames({
          mailFrom: '"Acme Payments" <no-reply@acme.example>',
          publicUrl: 'https://pay.acme-payments.co.zw',
        }),
      ),
    ).toEqual(found)
  })

  test.each([
    'Chiedza Crafts',
    'Provisage Travel',
    'Tariro’s Café',
    'Mbare Market 24/7',
    'Komarika',
    'Ncbzulu',
    'Shop 🎉',
  ])('%s is not one', (name) => {
    expect(reservedWordsIn(name)).toEqual([])
  })
})

test('the operator’s names are the sender of emails and the host without its endings', () => {
  const names = (mailFrom: string, publicUrl: string) => operatorNames({ mailFrom, publicUrl })
  expect(names('no-reply@acme.example', 'https://pay.acme.co.zw:8443')).toEqual(['acme'])
  expect(names('Acme <no-reply@acme.example>', 'http://localhost:3000')).toEqual(['Acme'])
  expect(names('Acme <no-reply@acme.example>', 'https://192.0.2.7')).toEqual(['Acme'])
  expect(names('Acme <no-reply@acme.example>', 'https://[2001:db8::1]')).toEqual(['Acme'])
})

test('the operator names every word that was found', () => {
  expect(unnamedWords(['EcoCash', OTHER_LETTERS], 'ecocash')).toEqual([OTHER_LETTERS])
  expect(unnamedWords(['EcoCash', 'Visa'], 'visa, Eco Cash')).toEqual([])
  expect(unnamedWords(['EcoCash'], '')).toEqual(['EcoCash'])
})

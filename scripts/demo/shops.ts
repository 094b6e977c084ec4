import type { Category } from '../../packages/contract/src/enums.ts'

/** Goods of a shop, with their price range in whole US dollars. */
type Goods = readonly [purpose: string, low: number, high: number]

export interface Shop {
  readonly name: string
  readonly description: string
  readonly category: Category
  /** The prefix of its order numbers. */
  readonly mark: string
  /** Its share of the payments while it is open. */
  readonly share: number
  /** The number of days since it closed; null for an open shop. */
  readonly closedDaysAgo: number | null
  readonly goods: readonly Goods[]
}

export const merchant = {
  fullname: 'Rudo Chikomo',
  email: 'demo@muripo.example',
  phone: '+263770000100',
  password: 'baobab-season',
} as const

export const shops: readonly Shop[] = [
  {
    name: 'Chikomo Grocers',
    description: 'Groceries and household goods, ordered online and delivered in Harare and Chitungwiza',
    category: 'Retail',
    mark: 'CG',
    share: 0.62,
    closedDaysAgo: null,
    goods: [
      ['Maize meal 20 kg', 9, 14],
      ['Cooking oil 2 l', 3, 5],
      ['Monthly groceries', 85, 240],
      ['Groceries for the weekend', 18, 75],
      ['Rice 10 kg and sugar 2 kg', 11, 16],
      ['Kapenta and beans', 4, 12],
      ['Bread, milk and eggs', 3, 9],
      ['Paraffin stove', 16, 28],
      ['Solar lantern', 14, 45],
      ['LPG refill 9 kg', 13, 18],
      ['Braai pack 5 kg', 22, 38],
      ['Washing powder and soap', 5, 14],
      ['Hamper for my mother', 45, 130],
    ],
  },
  {
    name: 'Chikomo School Shop',
    description: 'Uniforms, shoes, books and stationery for primary and secondary schools',
    category: 'E-commerce',
    mark: 'SS',
    share: 0.3,
    closedDaysAgo: null,
    goods: [
      ['School uniform', 28, 75],
      ['School shoes', 18, 42],
      ['Exercise books, pack of 20', 8, 15],
      ['Textbooks Form 2', 35, 110],
      ['Boarding trunk', 40, 68],
      ['Blazer and tie', 32, 60],
      ['Sports kit', 15, 34],
      ['Scientific calculator', 14, 26],
      ['Stationery for the term', 10, 48],
      ['Satchel', 12, 30],
      ['Complete Form 1 set', 180, 400],
    ],
  },
  {
    name: 'Kariba Weekends',
    description: 'Day trips and houseboats on Lake Kariba; closed, its bookings moved to another agency',
    category: 'Travel & Tourism',
    mark: 'KW',
    share: 0.14,
    closedDaysAgo: 41,
    goods: [
      ['Sunset cruise for two', 50, 90],
      ['Houseboat deposit', 150, 400],
      ['Coach Harare to Kariba', 20, 40],
      ['Fishing trip, half a day', 60, 120],
    ],
  },
]

export const firstNames = [
  ...['Tatenda', 'Rumbidzai', 'Farai', 'Chipo', 'Tendai', 'Nyasha', 'Kudzai', 'Tsitsi', 'Blessing', 'Simba'],
  ...['Ruvimbo', 'Takudzwa', 'Memory', 'Tafadzwa', 'Shamiso', 'Munashe', 'Thandiwe', 'Sibusiso', 'Nomsa'],
  ...['Themba', 'Lindiwe', 'Bongani', 'Sithembile', 'Mandla', 'Precious', 'Trust', 'Anesu', 'Vimbai'],
]

export const lastNames = [
  ...['Moyo', 'Ncube', 'Sibanda', 'Dube', 'Ndlovu', 'Mpofu', 'Nyathi', 'Khumalo', 'Mutasa', 'Chirwa'],
  ...['Marufu', 'Gumbo', 'Chigumba', 'Zhou', 'Banda', 'Mlambo', 'Nyoni', 'Makoni', 'Murape', 'Hove'],
  ...['Chari', 'Mapfumo', 'Zulu', 'Matambo', 'Nkomo', 'Shumba', 'Mangwiro', 'Tshuma'],
]

/** The English texts of the dashboard's first page. */
export const overview = {
  overviewIntro: "Welcome back! Here's an overview of your payments metrics.",

  summary: 'Summary',
  revenueToday: 'Total Revenue Today',
  revenueOfWeek: 'Revenue Last 7 Days',
  completedPayments: 'Total Completed Payments',
  applicationCount: 'Applications',
  todayCompared:
    '{change, select, none {No revenue yesterday by this hour} level {Same as yesterday by this hour} up {{amount} more than yesterday by this hour} other {{amount} less than yesterday by this hour}}',
  weekCompared:
    '{change, select, none {No revenue the week before} level {Same as the week before} up {{amount} more than the week before} other {{amount} less than the week before}}',
  completedCompared:
    '{now, select, 0 {{before, select, 0 {None in two weeks} other {None in 7 days, {before} the week before}}} other {{before, select, 0 {{now} in 7 days, none the week before} other {{now} in 7 days, {before} the week before}}}}',
  applicationsCompared:
    '{now, select, 0 {{before, select, 0 {None new in two weeks} other {None new in 7 days, {before} the week before}}} other {{before, select, 0 {{now} new in 7 days, none the week before} other {{now} new in 7 days, {before} the week before}}}}',

  revenueTitle: 'Revenue, last {days} days',
  revenueByDay: 'Revenue by day',
  bestDay: 'Best day: {day} with {amount}',
  otherCurrencies: 'In other currencies, last 7 days:',
  otherCurrencyToday: '{amount} ({today} today)',
  chosenDay: 'Day',
  today: 'Today',
  daySoFar: '{day}, so far',
  noRevenue: 'No revenue in {currency} in these days',
  noRevenueText: 'The revenue of each day appears here.',

  topMethods: 'Top Used Payment Methods',
  sampleData: 'Sample data',
  methodPayments: '{payments, plural, one {{count} payment} other {{count} payments}}',
  methodShare: '{payments, plural, one {{count} payment, {share}} other {{count} payments, {share}}}',

  recentPayments: 'Recent Transactions',
  noRecentPayments: 'No recent transactions found',
  noRecentPaymentsText: 'A payment appears here as soon as one of your applications creates it.',
  allPayments: 'View all transactions',
} as const satisfies Readonly<Record<string, string>>

/**
 * The texts of dates, payment methods and statuses on the dashboard. They are for translations: browsers on cheap phones have no data for our
 * languages. In English `apps/web/app/lib/format.ts` writes them, with the browser's data.
 */
export const formats = {
  dayMonthYear:
    '{month, select, 1 {{day} January {year}} 2 {{day} February {year}} 3 {{day} March {year}} 4 {{day} April {year}} 5 {{day} May {year}} 6 {{day} June {year}} 7 {{day} July {year}} 8 {{day} August {year}} 9 {{day} September {year}} 10 {{day} October {year}} 11 {{day} November {year}} other {{day} December {year}}}',
  dateAndTime: '{date}, {time}',
  shortDate:
    '{month, select, 1 {{day} Jan} 2 {{day} Feb} 3 {{day} Mar} 4 {{day} Apr} 5 {{day} May} 6 {{day} Jun} 7 {{day} Jul} 8 {{day} Aug} 9 {{day} Sep} 10 {{day} Oct} 11 {{day} Nov} other {{day} Dec}}',
  shortDateOfWeek:
    '{weekday, select, Mon {Mon {date}} Tue {Tue {date}} Wed {Wed {date}} Thu {Thu {date}} Fri {Fri {date}} Sat {Sat {date}} other {Sun {date}}}',
  todayAt: 'Today, {time}',
  yesterdayAt: 'Yesterday, {time}',

  methodCard: 'Card Payment',
  methodMobileMoney: 'Mobile Money',
  methodBankTransfer: 'Bank Transfer',
  methodCash: 'Cash',
  noMethodYet: 'Not chosen yet',

  statusCompleted: 'Completed',
  statusAuthorized: 'Authorised',
  statusPending: 'Pending',
  statusFailed: 'Failed',
  statusRefunded: 'Refunded',
} as const satisfies Readonly<Record<string, string>>

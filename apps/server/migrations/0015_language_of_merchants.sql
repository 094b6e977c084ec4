-- The language that a merchant chose for the dashboard and for emails.
alter table merchants add column locale text;
comment on column merchants.locale is 'Null for a merchant who has not chosen one: then it is the language of the browser';
alter table merchants add constraint merchants_locale_check check (locale in ('en', 'sn', 'nd')) not valid;
alter table merchants validate constraint merchants_locale_check;

-- The colour and the logo of the payer's page as the operator approved them. Pages of live payments show these; pages of test payments show
-- application_brands. An application without a row shows neither colour nor logo to the payers of live money.
create table approved_brands (
  account_id     uuid not null,
  application_id uuid not null,
  colour         text check (colour ~ '^#[0-9a-f]{6}$'),
  logo           bytea check (length(logo) <= 4096),
  logo_type      text check (logo_type in ('image/svg+xml', 'image/webp')),
  logo_hash      text check (logo_hash ~ '^[0-9a-f]{32}$'),
  primary key (account_id, application_id),
  foreign key (account_id, application_id) references applications (account_id, id),
  constraint approved_brands_logo_whole check (num_nonnulls(logo, logo_type, logo_hash) in (0, 3))
);
create index approved_brands_by_logo on approved_brands (logo_hash) where logo_hash is not null;

-- Invariant: an approved colour or logo was the application's own at its approval. A part that its merchant removes is removed at once.
create function approved_brands_guard() returns trigger language plpgsql as $$
declare
  present record;
begin
  select b.colour, b.logo, b.logo_type, b.logo_hash into present from application_brands b
  where b.account_id = new.account_id and b.application_id = new.application_id for share;
  if (new.colour is not null and new.colour is distinct from present.colour
      and (tg_op = 'INSERT' or new.colour is distinct from old.colour))
    or (new.logo is not null and (new.logo, new.logo_type, new.logo_hash) is distinct from (present.logo, present.logo_type, present.logo_hash)
      and (tg_op = 'INSERT' or (new.logo, new.logo_type, new.logo_hash) is distinct from (old.logo, old.logo_type, old.logo_hash)))
  then
    raise exception 'an approved colour or logo is not the one of application %', new.application_id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger approved_brands_guard before insert or update on approved_brands
  for each row execute function approved_brands_guard();

-- Safari has no encoder of WebP, so that its pages upload small pictures as PNG.
alter table application_brands drop constraint application_brands_logo_type_check;
alter table application_brands add constraint application_brands_logo_type_check
  check (logo_type in ('image/svg+xml', 'image/webp', 'image/png')) not valid;
alter table approved_brands drop constraint approved_brands_logo_type_check;
alter table approved_brands add constraint approved_brands_logo_type_check
  check (logo_type in ('image/svg+xml', 'image/webp', 'image/png')) not valid;

/** The product's colours and hairlines in the system's own face; one column, large targets. */
export const styles = `
:root{--ink:#0b1324;--paper:#fff;--mist:#f6f8fb;--line:#e5eaf1;--text:#101828;--quiet:#5a6577;--blue:#2f54eb;--amber:#ffb020;--edge:#8792a5}
*{box-sizing:border-box;margin:0}
body{background:var(--mist);color:var(--text);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%}
.bar{background:var(--ink);color:#fff}
.bar div{max-width:960px;margin:0 auto;padding:12px 20px;display:flex;gap:12px;align-items:center;justify-content:space-between}
.brand{display:flex;gap:10px;align-items:center;font-weight:650}
.tag{font-size:13px;color:#c9d2e3;border:1px solid #3a4764;border-radius:999px;padding:2px 10px;white-space:nowrap}
main{max-width:960px;margin:0 auto;padding:28px 20px 48px}
h1{font-size:24px;line-height:1.25;font-weight:650;letter-spacing:-.01em}
h2{font-size:16px;font-weight:600;margin-bottom:12px}
.lead{color:var(--quiet);margin:6px 0 24px;max-width:60ch}
.grid{display:grid;gap:24px}
@media(min-width:800px){.grid{grid-template-columns:minmax(0,360px) minmax(0,1fr);align-items:start;gap:32px}}
.card{background:var(--paper);border:1px solid var(--line);border-radius:14px;padding:20px}
.card+.card{margin-top:16px}
.phone{background:var(--ink);border-radius:36px;padding:14px;box-shadow:0 16px 40px -16px #0b132466;max-width:360px;width:100%;margin:0 auto}
.ear{width:56px;height:5px;border-radius:3px;background:#33415f;margin:4px auto 12px}
.screen{background:#eef2f8;border-radius:24px;padding:14px;min-height:400px;display:flex;flex-direction:column;gap:14px}
.status{display:flex;justify-content:space-between;font-size:13px;font-variant-numeric:tabular-nums;color:var(--quiet);padding:0 4px}
.ussd{background:var(--paper);border-radius:14px;border:1px solid var(--line);padding:16px}
.ussd p{font-size:16px;overflow-wrap:anywhere}
.ussd form{margin-top:14px}
label{display:block;font-size:14px;font-weight:600;margin-bottom:6px}
input{width:100%;height:48px;border:1px solid var(--edge);border-radius:10px;padding:0 14px;font:inherit;color:inherit;background:#fff}
.pin{text-align:center;font-size:22px;letter-spacing:.5em;font-variant-numeric:tabular-nums}
.buttons{display:grid;grid-template-columns:1fr 1fr;gap:10px;margin-top:12px}
.button{display:inline-flex;align-items:center;justify-content:center;height:48px;border-radius:10px;border:1px solid var(--blue);background:var(--blue);color:#fff;font:inherit;font-weight:600;padding:0 18px;cursor:pointer;text-decoration:none;white-space:nowrap}
.plain{background:#fff;border-color:var(--edge);color:var(--text)}
.button:hover{filter:brightness(.95)}
:focus-visible{outline:3px solid #2f54eb;outline-offset:2px}
.bar :focus-visible{outline-color:#fff}
.error{color:#b42318;font-size:14px;margin-top:6px}
.ussd .error{font-size:14px}
.idle{margin:auto;text-align:center;color:var(--quiet);font-size:15px;padding:0 12px}
.wait{color:var(--quiet);font-size:14px;text-align:center}
.list{list-style:none;padding:0}
.list li{border-top:1px solid var(--line);padding:12px 0;overflow-wrap:anywhere}
.list li:first-child{border-top:0;padding-top:0}.list li:last-child{padding-bottom:0}
.when{display:block;color:var(--quiet);font-size:13px;font-variant-numeric:tabular-nums}
.row{display:flex;gap:12px;align-items:center;justify-content:space-between}
.row span{font-variant-numeric:tabular-nums}
.row .quiet{display:block}
.row .button{flex:none}
.quiet{color:var(--quiet)}
table{width:100%;border-collapse:collapse;font-size:15px}
td,th{border-top:1px solid var(--line);padding:8px 0;vertical-align:top}
th{text-align:left;font-weight:600;font-variant-numeric:tabular-nums;white-space:nowrap;width:1%;padding-right:24px}
tr:first-child>*{border-top:0}
.fields{display:grid;gap:16px;margin-bottom:12px}
.find{display:grid;gap:12px}
@media(min-width:480px){.find{grid-template-columns:1fr auto;align-items:end}}
a{color:var(--blue)}.bar a{color:inherit;text-decoration:none}
.back{display:inline-block;margin-bottom:12px;padding:4px 0;font-size:15px}
`

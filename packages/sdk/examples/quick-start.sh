# 1. Get an API key from the dashboard: create an application, keep its key in MURIPO_KEY
# 2. Authenticate: send it as the bearer key of every call to your gateway, MURIPO_URL
# 3. Create a payment
curl "$MURIPO_URL/api/v1/payments" \
  -H "Authorization: Bearer $MURIPO_KEY" \
  -H "Content-Type: application/json" \
  -d '{ "amount": 25, "currency": "USD", "description": "Order 1001" }'

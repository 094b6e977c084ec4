npm install https://pay.example.com/sdk/muripo.tgz
